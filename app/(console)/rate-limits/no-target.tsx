import { NoAnswer } from "@/components/object-page/no-answer";
import { NoProject } from "@/components/object-page/no-project";
import type { Target } from "./find-target";

/** Replaces the rate limits if there is no project or it couldn't be read. */
export function NoTarget({ target }: { target: Extract<Target, { kind: "problem" | "none" }> }) {
  if (target.kind === "problem") return <NoAnswer to="list the rate limits" problem={target.problem} />;
  return (
    <NoProject>
      Rate limits hold for one project and one model. A new project starts with each model’s defaults.
    </NoProject>
  );
}
