"use client";

import { Boxes } from "lucide-react";
import { listPlayableModels } from "@/app/model-choice/list-callable-models";
import { useRead } from "@/app/queries/reads/use-read";
import { wholeList } from "@/app/queries/reads/whole-list";
import { useIsGatewayDown } from "@/app/queries/states/gateway-down";
import { NotLoaded } from "@/app/queries/states/not-loaded";
import { ProblemState } from "@/app/queries/states/problem-state";
import type { PlaygroundParameters } from "@/app/workbench/playground-parameters";
import { LinkButton } from "@/components/links/link-button";
import { EmptyState } from "@/components/states/empty-state";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import { Playground } from "./playground";
import type { PlaygroundRights } from "./playground-rights";
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
