import { HOUR_MS } from "@/lib/contract/durations";
import { isObject } from "@/lib/contract/json-value";

type Fields = Readonly<Record<string, unknown>>;

/** What all items together may take, as JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

interface RecentItem {
  readonly projectId: string;
  readonly item: Fields;
  readonly characters: number;
  readonly atMs: number;
}

/**
 * The items of this process's last responses, in memory alone: clients such as the AI SDK send back the id of an item
 * in place of the item, also in projects that keep nothing. They are forgotten after an hour, or when others need room.
 */
export class RecentItems {
  /** In the order in which they came, by project and id. */
  readonly #items = new Map<string, RecentItem>();
  #characters = 0;

  constructor(
    private readonly clock: { nowMs(): number },
    private readonly maxCharacters = MAX_CHARACTERS,
  ) {}

  note(projectId: string, items: readonly Fields[]): void {
    const atMs = this.clock.nowMs();
    for (const item of items) {
      if (!isObject(item) || typeof item.id !== "string") continue;
      const characters = JSON.stringify(item).length;
      if (characters > this.maxCharacters) continue;
      const name = toName(projectId, item.id);
      this.#forget(name);
      this.#items.set(name, { projectId, item, characters, atMs });
      this.#characters += characters;
    }
    for (const [name, { atMs: since }] of this.#items) {
      if (this.#characters <= this.maxCharacters && since > atMs - HOUR_MS) return;
      this.#forget(name);
    }
  }

  find(projectId: string, id: string): Fields | undefined {
    const found = this.#items.get(toName(projectId, id));
    return found && found.atMs > this.clock.nowMs() - HOUR_MS ? found.item : undefined;
  }

  #forget(name: string): void {
    this.#characters -= this.#items.get(name)?.characters ?? 0;
    this.#items.delete(name);
  }
}

function toName(projectId: string, id: string): string {
  return `${projectId} ${id}`;
}
