import { NoAnswer } from "@/components/object-page/no-answer";
import { NoProject } from "@/components/object-page/no-project";
import { Page, PageHead } from "@/components/ui/page";
import type { Target } from "./find-target";
import { LazyTypedForm } from "./lazy-typed-form";

type TypedRateLimitScreenProps = { baseUrl: string; projectId?: string; rateLimitId?: string };

/** The screen for gateways that can't list anything: both path segments are typed. */
export function TypedRateLimitScreen(props: TypedRateLimitScreenProps) {
  return (
    <Page>
      <PageHead
        title="Rate limits"
        sentence="This gateway can’t list projects or rate limits. Type which one to set; its reply shows what holds afterwards."
      />
      <LazyTypedForm {...props} />
    </Page>
  );
}

/** Replaces the rate limits if there is no project or it couldn't be read. */
export function NoTarget({ target }: { target: Extract<Target, { kind: "problem" | "none" }> }) {
  if (target.kind === "problem") return <NoAnswer to="list the rate limits" problem={target.problem} />;
  return (
    <NoProject>
      Rate limits hold for one project and one model. A new project starts with each model’s defaults.
    </NoProject>
  );
}
