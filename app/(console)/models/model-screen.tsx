"use client";

import { Boxes } from "lucide-react";
import { type ReactNode, useState } from "react";
import { describePerson } from "@/components/audit-log/describe-event";
import { ConnectClient } from "@/components/keys/connect-client";
import { explainUncallable, sourceWords } from "@/components/models/describe-model";
import { modelReads } from "@/components/models/model-reads";
import { TrafficElsewhere } from "@/components/money/elsewhere/traffic-elsewhere";
import { HistoryLink } from "@/components/object-page/history-link";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ObjectState } from "@/components/queries/states/object-state";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { useObjectGone } from "@/components/ui/drafts/object-gone";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { LinkButton } from "@/components/ui/links/link-button";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { Badge } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { DateTime } from "@/components/ui/time/date-time";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { isUnitFamily, writesTokens } from "@/lib/contract/calls/model-families";
import type { ModelPrice, OrganizationModel } from "@/lib/contract/operations/models/models";
import { changeModel } from "./actions";
import { EditModelForm } from "./edit-model-form";
import { EditUnitPriceForm } from "./edit-unit-price-form";
import { ModelMarks, Routes } from "./model-columns";
import { ModelSkeleton } from "./model-skeletons";
import type { LastMonthReads } from "./prices/last-month";
import { isPricedByUnit } from "./prices/price-fields";
import { priceHistoryRead } from "./scheduled/price-reads";
import { describePrice, type PriceVersion, readPriceVersions } from "./scheduled/price-versions";
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

/** The properties of a model that can't be changed. */
function ModelFacts({ model }: { model: OrganizationModel }) {
  const { family } = model;
  return (
    <dl className="mb-6 flex flex-wrap gap-x-10 gap-y-3 border-y py-3">
      <ModelFact name="Routes">
        <Routes routes={model.routes} />
        <TextLink href={paths.modelRoutes(model.id)}>Groups, weights and failures</TextLink>
      </ModelFact>
      <ModelFact name="Source">{sourceWords[model.source]}</ModelFact>
      {writesTokens(family) && model.unit_price === null && (
        <ModelFact name="Max output">
          {model.max_output_tokens === null ? (
            "not set"
          ) : (
            <>
              <Quantity value={model.max_output_tokens} /> tokens
            </>
          )}
        </ModelFact>
      )}
      {!isUnitFamily(family) && (
        <ModelFact name="Context window">
          {model.context_window === null ? (
            "not set"
          ) : (
            <>
              <Quantity value={model.context_window} /> tokens
            </>
          )}
        </ModelFact>
      )}
      {family === "chat" && model.price && (
        <ModelFact name="Charged as input">
          {listUnpricedClasses(model.price).join(", ") || "nothing else"}
        </ModelFact>
      )}
    </dl>
  );
}

/** The classes of input that have no price of their own. */
function listUnpricedClasses(price: ModelPrice): string[] {
  return [
    ...(price.cached_input_per_1m === undefined ? ["cached input"] : []),
    ...(price.cache_write_5m_per_1m === undefined && price.cache_write_1h_per_1m === undefined
      ? ["cache writes"]
      : [
          ...(price.cache_write_5m_per_1m === undefined ? ["cache writes for 5 minutes"] : []),
          ...(price.cache_write_1h_per_1m === undefined ? ["cache writes for 1 hour"] : []),
        ]),
  ];
}

function ModelFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const [NONE, EVERY] = ["none", "every"];

/** Which projects may call an imported model, besides those whose own list of models allows it. */
function ModelProjects({ model, canWrite }: { model: OrganizationModel; canWrite: boolean }) {
  const { id, projects: saved, version } = model;
  const projects = useRead(...wholeList("listProjects")).data?.data ?? [];
  const before = saved === null ? EVERY : saved.length === 0 ? NONE : saved.join();
  const [chosen, setChosen] = useState<string | null>(null);
  const value = chosen ?? before;
  const save = useAction(changeModel, {
    refetch: ["listOrganizationModels"],
    onSuccess: () => {
      setChosen(null);
      toast({ message: "Projects saved" });
    },
  });
  const nameOf = (projectId: string) => projects.find((one) => one.id === projectId)?.name ?? projectId;
  const several = saved !== null && saved.length > 1;
  const options = [
    { value: NONE, label: "no project yet" },
    { value: EVERY, label: "every project" },
    ...(several ? [{ value: before, label: saved.map(nameOf).join(", ") }] : []),
    ...projects.map((project) => ({ value: project.id, label: project.name })),
  ];
  return (
    <section aria-label="Projects" className="mb-8 flex max-w-[560px] flex-wrap items-end gap-3">
      <div className="grid flex-1 gap-1.5">
        <span className="font-medium">Allowed in</span>
        {canWrite ? (
          <ChoiceSelect label="Allowed in" value={value} options={options} choose={setChosen} />
        ) : (
          <p>{options.find((option) => option.value === value)?.label}</p>
        )}
      </div>
      {value !== before && (
        <Button
          pending={save.isPending}
          onClick={() => {
            const to = value === EVERY ? null : value === NONE ? [] : value.split(",");
            save.mutate({ modelId: id, change: { projects: to }, version });
          }}
        >
          Save projects
        </Button>
      )}
      <p className="w-full text-sm text-muted">
        {save.error ? save.error.problem.message : "A project can also allow it in its own list of models."}
      </p>
    </section>
  );
}

/** A model's former prices, with the time of each change and the person who made it. */
function PriceHistory({ model }: { model: OrganizationModel }) {
  const [id, parameters] = priceHistoryRead(model.id);
  const events = useRead(id, parameters);
  return (
    <Section
      title="Price history"
      description="The latest changes. A call is charged at the price at which it was admitted."
    >
      <ReadState read={events} to="list the price history" skeleton={<TableSkeleton rows={2} columns={3} />}>
        {({ data }) => {
          const versions = readPriceVersions(data);
          return versions.length === 0 ? (
            <p className="text-sm text-muted">The price has never changed.</p>
          ) : (
            <DataTable
              caption="Price history"
              columns={buildColumns(model.currency)}
              rows={versions}
              rowId={({ event }) => event?.id ?? "before"}
            />
          );
        }}
      </ReadState>
    </Section>
  );
}

function buildColumns(currency: string): readonly Column<PriceVersion>[] {
  return [
    {
      id: "since",
      header: "Since",
      apiName: "effective_at",
      width: "w-56",
      cell: ({ event }) =>
        event ? <DateTime at={event.effective_at} /> : <span className="text-muted">before</span>,
    },
    {
      id: "price",
      header: "Price",
      unit: currency,
      cell: (version) => describePrice(version).join(" · "),
    },
    {
      id: "by",
      header: "Set by",
      apiName: "actor",
      width: "w-56",
      cell: ({ event }) =>
        event && (
          <TextLink href={paths.auditLog(event.id)}>
            {event.type === "scheduled_price.applied" ? "As scheduled" : describePerson(event).name}
          </TextLink>
        ),
    },
  ];
}
