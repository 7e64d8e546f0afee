"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { takeEarlyCell } from "@/components/shell/early/early-cells";
import { useIsHydrated } from "@/components/ui/browser/use-is-hydrated";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { GuideLink } from "@/components/ui/links/guide-link";
import { Menu } from "@/components/ui/menu/menu";
import { Notice } from "@/components/ui/notice";
import type { Problem } from "@/lib/console/gateway/problem";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import type { LimitUsage } from "@/lib/contract/operations/usage/limit-usage";
import { useReadEvents } from "../use-read-events";
import { ApprovalsButton } from "./approvals-dialog";
import type { GridItem } from "./arrange-pairs";
import { describeNear, describeSize } from "./describe-near";
import { EditorLine } from "./editor-line";
import { type Grid, GridContext, useGrid } from "./grid-context";
import { GridFooter } from "./grid-footer";
import { GridState } from "./grid-state";
import { GridTable } from "./grid-table";
import { GridToolbar } from "./grid-toolbar";
import { type DraftOwner, keepDraft } from "./kept-draft";
import { LimitDraft } from "./limit-draft";
import type { LimitPair } from "./limit-pair";
import { LimitUse, type UseShown } from "./limit-use";
import { listChanges } from "./list-changes";
import { PairList } from "./pair-list";
import { PlansButton } from "./plans-dialog";
import { ReviewScreen } from "./review-screen";
import { SavedChanges } from "./saved-changes";
import { useArrangement, useGridItems } from "./use-arrangement";
import { useFollowPlan } from "./use-follow-plan";
import { describePlan, enterEarlyCell } from "./use-grid-keys";
import { useIsPhone } from "./use-is-phone";

type LimitGridProps = {
  project: { id: string; name: string } | null;
  owner: DraftOwner;
  pairs: readonly LimitPair[];
  isWhole: boolean;
  problem: Problem | null;
  retry: () => void;
  plans: readonly LimitPlanObject[];
  /** Whether the person may change plans, and which projects follow them. */
  editsPlans: boolean;
};

/** The grid with its filters, its draft and the live use; or the review of the draft. */
export function LimitGrid(props: LimitGridProps) {
  const { project, owner, pairs, isWhole, problem, retry, plans, editsPlans } = props;
  const [useShown, setUseShown] = useState<UseShown>("now");
  const [review, setReview] = useUrlParameter("review");
  const isPhone = useIsPhone();
  const isHydrated = useIsHydrated();
  const view = useArrangement();
  const items = useGridItems(pairs, view.arrangement);
  const follow = useFollowPlan(plans);
  const listPlanEntries = editsPlans && plans.length > 0 ? follow.list : null;
  const grid = useNewGrid({ project, owner, pairs, items, useShown, view, listPlanEntries });
  const contents = useDraftContents(pairs, grid.draft);
  useEffect(() => {
    const early = isHydrated && items.length > 0 ? takeEarlyCell() : null;
    if (early) enterEarlyCell(grid, early);
  }, [isHydrated, items, grid]);
  const label = project ? `Rate limits of project ${project.name}` : "Rate limits of every project";

  return (
    <GridContext value={grid}>
      {review === "yes" ? (
        <ReviewScreen contents={contents} isWhole={isWhole} back={() => setReview("")} />
      ) : (
        <div
          data-fills-window
          data-taking-over={!isHydrated || undefined}
          className="relative flex h-[calc(100dvh-var(--above))] min-h-96 flex-col"
        >
          <Head project={project} pairs={pairs} isWhole={isWhole}>
            {project && <PlanOfProject pairs={pairs} list={listPlanEntries} />}
            {editsPlans && <PlansButton plans={plans} />}
            {editsPlans && <ApprovalsButton />}
          </Head>
          {problem && <Unread problem={problem} retry={retry} />}
          <GridToolbar
            pairs={pairs}
            view={view}
            useShown={useShown}
            setUseShown={setUseShown}
            showsProjects={project === null}
          />
          {isPhone ? (
            <PairList items={items} />
          ) : (
            <>
              <EditorLine />
              <GridTable label={label} items={items} sort={view.arrangement.sort} setSort={view.setSort} />
            </>
          )}
          {items.length === 0 && <NothingFound clear={view.clear} />}
          <GridFooter contents={contents} isWhole={isWhole} review={() => setReview("yes")} />
        </div>
      )}
      {follow.dialog}
    </GridContext>
  );
}

type NewGrid = Pick<LimitGridProps, "project" | "owner" | "pairs"> & {
  listPlanEntries: Grid["listPlanEntries"];
  items: readonly GridItem[];
  useShown: UseShown;
  view: ReturnType<typeof useArrangement>;
};

/** The stores of the grid, which follow its rows, the kept draft and the live use. */
function useNewGrid({ project, owner, pairs, items, useShown, view, listPlanEntries }: NewGrid): Grid {
  const [stores] = useState(() => ({
    state: new GridState(),
    draft: new LimitDraft(),
    use: new LimitUse(),
  }));
  const { state, draft, use } = stores;
  useKeptDraft(draft, owner, project?.id);
  useReadEvents<{ data: LimitUsage[] }>("listLimitUsage", { project_id: project?.id }, ({ data }) =>
    use.update(data),
  );
  useEffect(() => state.setItems(items), [state, items]);
  useEffect(() => state.setPairs(pairs), [state, pairs]);

  const { toggleGroup, arrangement } = view;
  const groupBy = project ? "project" : arrangement.groupBy;
  return useMemo(
    () => ({
      ...stores,
      useShown,
      groupBy,
      toggleGroup,
      listPlanEntries,
      make: (plan, did) => {
        stores.draft.apply(plan.edits);
        stores.state.tell(describePlan(did, plan));
      },
    }),
    [stores, useShown, groupBy, toggleGroup, listPlanEntries],
  );
}

/** Keeps the draft of these projects in the browser. */
function useKeptDraft(
  draft: LimitDraft,
  { person, organization }: DraftOwner,
  projectId: string | undefined,
): void {
  useEffect(() => {
    const isShown = (pair: string) => projectId === undefined || pair.startsWith(`${projectId} `);
    const tellFull = () =>
      toast({
        message: "This browser has no room for the draft: it is lost when you leave the page.",
        tone: "bad",
      });
    return keepDraft(draft, { person, organization }, isShown, tellFull);
  }, [draft, person, organization, projectId]);
}

type HeadProps = Pick<LimitGridProps, "project" | "pairs" | "isWhole"> & { children: ReactNode };

function Head({ project, pairs, isWhole, children }: HeadProps) {
  const { projects, models, rows } = useMemo(() => countDistinct(pairs), [pairs]);
  return (
    <header className="flex shrink-0 items-start gap-x-4 gap-y-2 px-4 pt-4 pb-3 max-lg:flex-wrap sm:px-6">
      <div className="min-w-0">
        <Title />
        <p className="text-muted">
          {describeSize(projects, models, rows, isWhole)} The bar in a cell is what is used.{" "}
          <GuideLink page="limits">Limits, explained</GuideLink>
        </p>
      </div>
      <div className="ml-auto flex flex-wrap gap-2 lg:shrink-0 lg:flex-nowrap">
        {children}
        <SavedChanges />
        <CsvLink href={buildExportUrl("listOrganizationRateLimits", { project_id: project?.id })} />
      </div>
    </header>
  );
}

type PlanOfProjectProps = { pairs: readonly LimitPair[]; list: Grid["listPlanEntries"] };

/** The plan that the project follows, to be chosen here. */
function PlanOfProject({ pairs, list }: PlanOfProjectProps) {
  const [first] = pairs;
  if (!first) return null;
  const name = first.plan?.name ?? "none";
  if (!list) return first.plan && <p className="self-center text-muted">Follows the plan {name}</p>;
  const follower = { id: first.projectId, name: first.projectName, planId: first.plan?.id ?? null };
  return (
    <Menu
      label={`Plan: ${name}`}
      trigger={
        <>
          Plan <b className="font-semibold">{name}</b> <ChevronDown aria-hidden className="size-4" />
        </>
      }
      triggerClassName="field flex h-8 w-auto items-center gap-1.5 pointer-coarse:h-11"
      sections={[{ heading: "Follow", entries: list([follower]) }]}
    />
  );
}

function countDistinct(pairs: readonly LimitPair[]) {
  const projects = new Set<string>();
  const models = new Set<string>();
  let rows = 0;
  for (const { kind, projectId, model } of pairs) {
    if (kind !== "project") continue;
    projects.add(projectId);
    models.add(model);
    rows++;
  }
  return { projects: projects.size, models: models.size, rows };
}

function Title() {
  const { use } = useGrid();
  const counts = useSyncExternalStore(use.subscribe, use.counts, use.counts);
  return <h1 className="text-xl font-semibold tracking-tight">{describeNear(counts)}</h1>;
}

function Unread({ problem, retry }: { problem: Problem; retry: () => void }) {
  return (
    <div className="px-6 pb-3">
      <Notice
        tone="bad"
        role="alert"
        title="Some rows could not be read"
        actions={
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        }
      >
        {problem.message}
      </Notice>
    </div>
  );
}

function NothingFound({ clear }: { clear: () => void }) {
  return (
    <div className="absolute inset-x-0 top-1/2 grid justify-items-center gap-2 text-muted">
      No row fits these filters.
      <Button onClick={clear}>Clear filters</Button>
    </div>
  );
}

/** Follows what is in the draft. */
function useDraftContents(pairs: readonly LimitPair[], draft: LimitDraft) {
  // Deferred: listing ten thousand changes must not delay the cells that show them.
  const counts = useDeferredValue(useSyncExternalStore(draft.subscribe, draft.counts, draft.counts));
  return useMemo(() => listChanges(pairs, draft, counts), [pairs, draft, counts]);
}
