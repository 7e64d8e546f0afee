import { saveLimitChanges, undoLimitChanges } from "@/app/(console)/rate-limits/actions";
import { useAction } from "@/components/queries/actions/use-action";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { countNouns } from "@/components/ui/values/group-digits";
import { type RateLimitField, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { limitReads } from "./grid-reads";
import type { DraftCell, DraftEdit, LimitDraft } from "./limit-draft";
import { type ListedChange, toRequest, withoutSent } from "./list-changes";

/** Whose draft it is. Each person has one for the whole organization, in this browser. */
export interface DraftOwner {
  readonly person: string;
  readonly organization: string;
}

/** Unlike the drafts of forms, it outlives a sign-out: numbers of limits are no secret, and a day's work. */
const PREFIX = "gatehouse:limit-draft:";
const WRITE_AFTER_MS = 300;

type StoredCell = readonly [pair: string, field: RateLimitField, cell: DraftCell];

/**
 * Restores the draft from this browser's storage, and keeps it there from now on, also as other tabs change it.
 * @param isShown which pairs `draft` is about: those of other projects stay in the storage as they are.
 * @param onFull called when the browser refuses to store it.
 * @returns a function that ends it.
 */
export function keepDraft(
  draft: LimitDraft,
  owner: DraftOwner,
  isShown: (pair: string) => boolean,
  onFull: () => void,
): () => void {
  const key = PREFIX + JSON.stringify([owner.person, owner.organization]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restore = () =>
    draft.replace(
      readCells(key)
        .filter(([pair]) => isShown(pair))
        .map(toEdit),
    );
  const write = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    const others = readCells(key).filter(([pair]) => !isShown(pair));
    if (!store(key, [...others, ...listCells(draft)])) onFull();
  };
  const writeSoon = () => {
    timer ??= setTimeout(write, WRITE_AFTER_MS);
  };
  const follow = (event: StorageEvent) => {
    if (event.key !== key || timer !== undefined) return;
    unsubscribe();
    restore();
    unsubscribe = draft.subscribe(writeSoon);
  };
  restore();
  let unsubscribe = draft.subscribe(writeSoon);
  window.addEventListener("storage", follow);
  window.addEventListener("pagehide", write);
  return () => {
    write();
    unsubscribe();
    window.removeEventListener("storage", follow);
    window.removeEventListener("pagehide", write);
  };
}

function listCells(draft: LimitDraft): StoredCell[] {
  return [...draft.rows()].flatMap(([pair, row]) =>
    (Object.entries(row) as [RateLimitField, DraftCell][]).map(
      ([field, cell]): StoredCell => [pair, field, cell],
    ),
  );
}

const toEdit = ([pair, field, cell]: StoredCell): DraftEdit => ({ pair, field, cell });

/** What this version of the console doesn't know is left out. */
function readCells(key: string): StoredCell[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isCell) : [];
  } catch {
    return [];
  }
}

function isCell(entry: unknown): entry is StoredCell {
  if (!Array.isArray(entry)) return false;
  const [pair, field, cell] = entry as [unknown, unknown, Partial<Record<string, unknown>> | null];
  if (typeof pair !== "string" || !rateLimitFields.includes(field as RateLimitField)) return false;
  if (typeof cell !== "object" || cell === null) return false;
  const base = cell["base"] as Partial<Record<string, unknown>> | null | undefined;
  if (typeof base !== "object" || base === null) return false;
  if (!isLimit(base["value"]) || typeof base["isOwn"] !== "boolean") return false;
  if (cell["fault"] !== undefined)
    return typeof cell["fault"] === "string" && typeof cell["typed"] === "string";
  return cell["to"] === "default" || isLimit(cell["to"]);
}

const isLimit = (value: unknown): boolean =>
  value === null || (Number.isSafeInteger(value) && (value as number) >= 0);

/** @returns false if the browser has no room, or forbids it. */
function store(key: string, cells: readonly StoredCell[]): boolean {
  try {
    if (cells.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(cells));
    return true;
  } catch {
    return false;
  }
}

/** Takes a saved set of changes back, and names what stays because somebody changed it since. */
export function useUndoSaved() {
  return useAction(undoLimitChanges, {
    refetch: limitReads,
    onSuccess: ({ undone, left }) => {
      const done = countNouns(
        undone.reduce((sum, { after }) => sum + Object.keys(after).length, 0),
        "limit",
      );
      const names = left.map(
        ({ model, default_id, by }) =>
          `${model ?? default_id ?? "every model"}${by === null ? "" : ` by ${by}`}`,
      );
      const stays =
        left.length > 0
          ? ` ${countNouns(left.length, "limit")} changed since stays: ${names.join(", ")}.`
          : "";
      toast({ message: `Put ${done} back.${stays}`, tone: left.length > 0 ? "neutral" : "good" });
    },
    onError: ({ problem }) => toast({ message: problem.message, tone: "bad" }),
  });
}

/** Saves the changes all or none, and offers to take them back. What was typed meanwhile stays in the draft. */
export function useSaveDraft(draft: LimitDraft, { done }: { done?: () => void } = {}) {
  const undo = useUndoSaved();
  const save = useCreate(saveLimitChanges, { refetch: limitReads });
  return {
    isPending: save.isPending,
    problem: save.error?.problem ?? null,
    save: (changes: readonly ListedChange[]) =>
      save.mutate(
        { changes: toRequest(changes) },
        {
          onSuccess: ({ id }) => {
            draft.replace(withoutSent(draft, changes));
            toast({
              message: `Saved ${countNouns(changes.length, "change")}`,
              action: { label: "Undo", onAct: () => undo.mutate({ changesId: id }) },
            });
            done?.();
          },
        },
      ),
  };
}
