import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
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
