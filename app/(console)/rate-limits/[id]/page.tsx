import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { environment } from "@/lib/console/environment";
import { requireSession } from "@/lib/console/sign-in/session";
import { sessionData } from "../../session-data";
import { findTarget } from "../find-target";
import { NoTarget } from "../no-target";
import { RateLimitScreen } from "../rate-limit-screen";
import { limitReads } from "../reads-of-limits";
import { TypedRateLimit } from "../typed-rate-limit";

export const metadata = { title: "Rate limit" };

export default async function RateLimitPage({ params }: { params: Promise<{ id: string }> }) {
  await requireSession();
  const rateLimitId = decodeURIComponent((await params).id);
  const [{ mayInProject }, target] = await Promise.all([sessionData(), findTarget()]);
  const { baseUrl } = environment().gateway;

  if (target.kind === "typed") return <TypedRateLimit baseUrl={baseUrl} rateLimitId={rateLimitId} />;
  if (target.kind !== "project") {
    return (
      <Page>
        <NoTarget target={target} />
      </Page>
    );
  }
  const { project } = target;
  return (
    <Prefetched reads={limitReads(project.id)}>
      <RateLimitScreen
        key={project.id}
        project={project}
        rateLimitId={rateLimitId}
        baseUrl={baseUrl}
        canWrite={mayInProject("api.rate_limits.write")}
      />
    </Prefetched>
  );
}
