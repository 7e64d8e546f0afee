"use client";

import { Boxes } from "lucide-react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { PageCrumb } from "@/components/shell/page-crumb";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { paths } from "@/lib/console/paths";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { whyNotCallable } from "./describe-model";
import { EditModelForm } from "./edit-model-form";
import { ModelFacts } from "./model-facts";
import { ModelMarks } from "./model-marks";
import { ModelSkeleton } from "./model-skeleton";
import { useModels } from "./use-models";

type ModelScreenProps = { modelId: string; baseUrl: string; canWrite: boolean };

/** One model: what it is, where its calls go, and what they cost. */
export function ModelScreen({ modelId, baseUrl, canWrite }: ModelScreenProps) {
  const models = useModels();
  const model = models.data?.data.find(({ id }) => id === modelId);

  if (model) {
    const obstacle = whyNotCallable(model);
    return (
      <Page>
        <PageCrumb label={model.id} />
        <ModelHead model={model} />
        <StaleNotice read={models} />
        {obstacle && (
          <div className="mb-6 max-w-[560px]">
            <Notice tone="near" title="This model is not callable">
              {obstacle} {model.price === null && canWrite && "Set both prices below; 0 makes it free."}
            </Notice>
          </div>
        )}
        <ModelFacts model={model} />
        <EditModelForm model={model} baseUrl={baseUrl} canWrite={canWrite} />
      </Page>
    );
  }
  // A list that is being read again may be about to bring a model that was added just now.
  if (models.data && !models.isFetching) return <UnknownModel id={modelId} />;
  if (models.error && !models.isFetching) {
    const retry = () => void models.refetch();
    return (
      <Page>
        <ProblemState problem={models.error.problem} to="show the model" retry={retry} />
      </Page>
    );
  }
  return <ModelSkeleton />;
}

function ModelHead({ model }: { model: OrganizationModel }) {
  return (
    <PageHead
      title={<span className="break-all">{model.id}</span>}
      beside={
        <>
          <Badge>{model.family}</Badge>
          <ModelMarks model={model} />
        </>
      }
      sentence={model.description}
      action={
        whyNotCallable(model) === null && (
          <LinkButton href={paths.playground({ model: model.id })}>Try it</LinkButton>
        )
      }
    />
  );
}

function UnknownModel({ id }: { id: string }) {
  return (
    <Page>
      <EmptyState
        level={1}
        icon={Boxes}
        title="There is no such model"
        action={
          <LinkButton variant="primary" href={paths.models()}>
            See all models
          </LinkButton>
        }
      >
        This gateway has no model <code className="font-mono text-sm break-all">{id}</code>. It may have been
        removed from the configuration, or the address is not whole.
      </EmptyState>
    </Page>
  );
}
