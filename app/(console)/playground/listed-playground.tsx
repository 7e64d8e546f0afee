"use client";

import { Boxes } from "lucide-react";
import { listPlayableModels } from "@/components/models/list-models";
import type { PlaygroundParameters } from "@/components/playground/playground-parameters";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { useIsGatewayDown } from "@/components/queries/states/gateway-down";
import { NotLoaded, ProblemState } from "@/components/queries/states/problem-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { Page, PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { paths } from "@/lib/console/paths";
import { Playground } from "./playground";
import type { PlaygroundRights } from "./playground-frame";
import { PlaygroundSkeleton } from "./playground-skeleton";

type ListedPlaygroundProps = {
  parameters: PlaygroundParameters;
  conversationId: string | undefined;
  storesConversations: boolean;
  projectId: string | null;
  projectName: string | null;
  baseUrl: string;
  rights: PlaygroundRights;
};

/** The playground with a list of models. If the gateway can't list them for this person, the model's name is typed. */
export function ListedPlayground(screen: ListedPlaygroundProps) {
  const models = useRead(...wholeList("listOrganizationModels"));
  const isGatewayDown = useIsGatewayDown(models.error?.problem);
  if (models.data) {
    const callable = listPlayableModels(models.data.data);
    return callable.length === 0 ? <NoModel /> : <Playground {...screen} models={callable} />;
  }
  if (!models.error) return <PlaygroundSkeleton />;
  const { problem } = models.error;
  if (problem.code === "unsupported" || problem.code === "missing_permission") {
    return <Playground {...screen} models={null} />;
  }
  return (
    <Page>
      <PageHead title="Playground" />
      {isGatewayDown ? (
        <NotLoaded />
      ) : (
        <ProblemState problem={problem} to="list the models" retry={() => void models.refetch()} />
      )}
    </Page>
  );
}

function NoModel() {
  return (
    <Page>
      <EmptyState
        level={1}
        icon={Boxes}
        title="No model can be called"
        action={
          <LinkButton variant="primary" href={paths.models()}>
            View models
          </LinkButton>
        }
      >
        The playground needs a model with a price. This gateway has none.
      </EmptyState>
    </Page>
  );
}
