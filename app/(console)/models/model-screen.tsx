"use client";

import { Boxes } from "lucide-react";
import { useState } from "react";
import { ConnectClient } from "@/components/keys/connect-client";
import { explainUncallable } from "@/components/models/describe-model";
import { modelReads } from "@/components/models/model-reads";
import { TrafficElsewhere } from "@/components/money/elsewhere/traffic-elsewhere";
import { HistoryLink } from "@/components/object-page/history-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { useObjectGone } from "@/components/ui/drafts/object-gone";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { paths } from "@/lib/console/paths";
import { isUnitFamily } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { EditModelForm } from "./edit-model-form";
import { EditUnitPriceForm } from "./edit-unit-price-form";
import { ModelFacts } from "./model-facts";
import { ModelMarks } from "./model-marks";
import { ModelProjects } from "./model-projects";
import { ModelSkeleton } from "./model-skeleton";
import { isPricedByUnit } from "./prices/choose-price-unit";
import type { LastMonthReads } from "./prices/last-month";
import { PriceHistory } from "./scheduled/price-history";
import { ScheduledPriceSection } from "./scheduled/scheduled-price-section";

type ModelScreenProps = {
  modelId: string;
  baseUrl: string;
  canWrite: boolean;
  /** True if the person can read the audit log, which has former prices. */
  seesHistory: boolean;
  /** Null if the person can't see usage. */
  lastMonth: LastMonthReads | null;
  /** When the page was rendered, in Unix seconds. */
  openedAt: number;
};

/** A model's properties, routes and prices. */
export function ModelScreen(props: ModelScreenProps) {
  const { modelId, baseUrl, canWrite, seesHistory, lastMonth, openedAt } = props;
  const models = useRead(...modelReads.models);
  return (
    <ObjectState
      read={models}
      object={models.data?.data.find(({ id }) => id === modelId)}
      to="show the model"
      skeleton={<ModelSkeleton />}
      unknown={<UnknownObject noun="model" id={modelId} icon={Boxes} list={paths.models()} />}
    >
      {(model) => (
        <Page>
          <PageCrumb label={model.id} />
          <ModelHead model={model} baseUrl={baseUrl} models={models.data?.data ?? []} />
          <StaleNotice read={models} />
          <ModelObstacle model={model} canWrite={canWrite} />
          <ModelFacts model={model} />
          {model.source === "database" && <ModelProjects model={model} canWrite={canWrite} />}
          {isPricedByUnit(model) ? (
            <EditUnitPriceForm model={model} canWrite={canWrite} lastMonth={lastMonth?.units ?? null} />
          ) : (
            <EditModelForm
              model={model}
              baseUrl={baseUrl}
              canWrite={canWrite}
              lastMonth={lastMonth?.tokens ?? null}
            />
          )}
          <div className="mt-12 grid max-w-4xl gap-10">
            <ScheduledPriceSection model={model} lastMonth={lastMonth} canWrite={canWrite} />
            {lastMonth && !isPricedByUnit(model) && (
              <TrafficElsewhere modelId={model.id} openedAt={openedAt} />
            )}
            {seesHistory && <PriceHistory model={model} />}
          </div>
        </Page>
      )}
    </ObjectState>
  );
}

function ModelObstacle({ model, canWrite }: { model: OrganizationModel; canWrite: boolean }) {
  const obstacle = explainUncallable(model);
  if (!obstacle) return null;
  return (
    <div className="mb-6 max-w-[560px]">
      <Notice tone="near" title="This model is not callable">
        {obstacle} {isPriceless(model) && canWrite && "Set its price below; 0 makes it free."}
      </Notice>
    </div>
  );
}

function isPriceless({ price, unit_price }: OrganizationModel): boolean {
  return price === null && unit_price === null;
}

type ModelHeadProps = { model: OrganizationModel; models: readonly OrganizationModel[]; baseUrl: string };

function ModelHead({ model, models, baseUrl }: ModelHeadProps) {
  const [isConnecting, setIsConnecting] = useState(false);
  const { isGone } = useObjectGone();
  const canTry = !isGone && explainUncallable(model) === null && !isUnitFamily(model.family);
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
        <>
          {canTry && model.family === "chat" && (
            <Button onClick={() => setIsConnecting(true)}>Connect a client</Button>
          )}
          <Dialog
            open={isConnecting}
            onClose={() => setIsConnecting(false)}
            title="Connect a client"
            description="The key is read from the environment: GATEHOUSE_API_KEY."
            position="wide"
          >
            <ConnectClient baseUrl={baseUrl} models={models} modelId={model.id} />
          </Dialog>
          <HistoryLink id={model.id} />
          {canTry && <LinkButton href={paths.playground(undefined, { model: model.id })}>Try it</LinkButton>}
        </>
      }
    />
  );
}
