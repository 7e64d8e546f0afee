import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { WORK_DAY } from "./work-day";

/** Shown until the calls of the last seven days are read, of which the mix then consists. */
export function WorkDaySkeleton() {
  return (
    <Section title={WORK_DAY}>
      <TableSkeleton rows={2} columns={6} />
    </Section>
  );
}
