import { Compass } from "lucide-react";
import { Wordmark } from "@/components/shell/logo";
import { LinkButton } from "@/components/ui/links/link-button";
import { StatePanel } from "@/components/ui/states/state-panel";
import { paths } from "@/lib/console/paths";

export default function NotFound() {
  return (
    <main className="mx-auto grid max-w-[592px] gap-6 px-4 py-16">
      <Wordmark />
      <StatePanel
        level={1}
        icon={Compass}
        title="There is nothing at this address"
        actions={
          <LinkButton href={paths.overview()} variant="primary">
            Go to the overview
          </LinkButton>
        }
      >
        The link may be outdated, or its target was deleted. Start from the overview.
      </StatePanel>
    </main>
  );
}
