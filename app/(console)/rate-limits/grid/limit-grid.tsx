"use client";

import { ChevronDown, History } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { takeEarlyCell } from "@/components/shell/early/early-cells";
import { useIsHydrated } from "@/components/ui/browser/use-is-painted";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { toast } from "@/components/ui/dialog/toast";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { GuideLink } from "@/components/ui/links/text-link";
import { Menu } from "@/components/ui/menu/menu";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/states/skeleton";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { countNouns } from "@/components/ui/values/group-digits";
import type { Problem } from "@/lib/console/gateway/problem";
import { buildExportUrl, type ReadReply } from "@/lib/console/reads/reads";
import type { LimitPlanObject } from "@/lib/contract/operations/models/rate-limit-plans";
import type { LimitUsage } from "@/lib/contract/operations/usage/limit-usage";
import { useReadEvents } from "../use-read-events";
import type { GridItem } from "./arrange-pairs";
import { EditorLine } from "./editor-line";
import { type Grid, GridContext, LimitUse, type UseCounts, type UseShown, useGrid } from "./grid-context";
import { GridFooter } from "./grid-footer";
import { GridState } from "./grid-state";
import { GridTable } from "./grid-table";
import { ApprovalsButton, GridToolbar, PlansButton } from "./grid-toolbar";
import { type DraftOwner, keepDraft, useUndoSaved } from "./kept-draft";
import { LimitDraft } from "./limit-draft";
import type { LimitPair } from "./limit-pair";
import { listChanges } from "./list-changes";
import { PairList } from "./pair-list";
import { useArrangement, useGridItems, useIsPhone } from "./use-arrangement";
import { useFollowPlan } from "./use-follow-plan";
import { describePlan, enterEarlyCell } from "./use-grid-keys";

const ReviewScreen = loadOnClient(
  () => import("./review-screen").then((file) => file.ReviewScreen),
  ({ back }) => back(),
);

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
  // A draft is reviewed before it is saved.
  const isDrafted = contents.changes.length > 0;
  useEffect(() => (isDrafted ? ReviewScreen.preload() : undefined), [isDrafted]);
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
          {describeSize(projects, models, rows, isWhole)} The bar in a cell shows what is used.{" "}
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

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const spell = (count: number) => words[count] ?? String(count);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The title of the screen: what is used up, and what is near. */
function describeNear({ usedUp, near, isKnown }: UseCounts): string {
  if (!isKnown) return "Rate limits";
  const up = `${spell(usedUp)} ${usedUp === 1 ? "limit is" : "limits are"} used up`;
  if (usedUp > 0 && near > 0) return capital(`${up}, ${spell(near)} ${near === 1 ? "is" : "are"} above 80 %`);
  if (usedUp > 0) return capital(up);
  if (near > 0) return capital(`${spell(near)} ${near === 1 ? "limit is" : "limits are"} above 80 %`);
  return "Every limit has room";
}

/** "Rate limits of 12 projects and 31 models: 214 rows." */
function describeSize(projects: number, models: number, rows: number, isWhole: boolean): string {
  const size = `Rate limits of ${countNouns(projects, "project")} and ${countNouns(models, "model")}`;
  return isWhole ? `${size}: ${countNouns(rows, "row")}.` : `${size} so far; more are loading.`;
}

type Saved = ReadReply<"listRateLimitChanges">["data"][number];

/** What was saved in the grid, by anybody, to be taken back for 30 days. */
function SavedChanges() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <History aria-hidden />
        Saved changes
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Saved changes">
        {isOpen && <SavedList />}
      </Dialog>
    </>
  );
}

function SavedList() {
  const read = useRead("listRateLimitChanges", { limit: "100" });
  return (
    <ReadState
      read={read}
      to="list the saved changes"
      skeleton={<Skeleton className="h-24" />}
      empty={
        <p className="text-muted">
          Nothing was saved in the grid yet. Each save is listed here, and can be undone for 30 days.
        </p>
      }
    >
      {({ data, has_more }) => (
        <>
          <ul className="grid max-h-[60vh] divide-y overflow-y-auto">
            {data.map((saved) => (
              <SavedItem key={saved.id} saved={saved} />
            ))}
          </ul>
          {has_more && (
            <p className="pt-2 text-sm text-muted">These are the last 100. The audit log has all of them.</p>
          )}
        </>
      )}
    </ReadState>
  );
}

function SavedItem({ saved }: { saved: Saved }) {
  const undo = useUndoSaved();
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {saved.undoes === null ? "Changed" : "Put back"} {countNouns(saved.size, "row")}
        </p>
        <p className="text-sm text-muted">
          {saved.made_by.name}, <RelativeTime at={saved.created_at} />
        </p>
      </div>
      {saved.undone_by !== null ? (
        <span className="text-sm text-muted">undone</span>
      ) : saved.undo_until === null ? null : (
        <Button size="small" pending={undo.isPending} onClick={() => undo.mutate({ changesId: saved.id })}>
          Undo
        </Button>
      )}
    </li>
  );
}
