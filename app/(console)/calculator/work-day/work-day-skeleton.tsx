import { TableSkeleton } from "@/components/states/skeleton";
import { Section } from "@/components/ui/section";
import { WORK_DAY } from "./work-day";

/** Shown until the calls of the last seven days are read, of which the mix then consists. */
export function WorkDaySkeleton() {
  return (
    <Section title={WORK_DAY}>
      <TableSkeleton rows={2} columns={6} />
    </Section>
  );
}
