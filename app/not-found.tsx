import { Compass } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";
import { Page } from "@/components/ui/page";
import { StatePanel } from "@/components/ui/state-panel";

export default function NotFound() {
  return (
    <Page>
      <StatePanel
        icon={Compass}
        title="There is nothing at this address"
        actions={
          <LinkButton href="/" variant="primary">
            Go to the overview
          </LinkButton>
        }
      >
        The link may be old, or what it led to was deleted. Everything there is can be reached from the
        overview.
      </StatePanel>
    </Page>
  );
}
