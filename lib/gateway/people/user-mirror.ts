import type { Mirror } from "../changes/mirror";
import { MirroredRows } from "../changes/mirrored-rows";
import type { UserRecord, UserStore } from "./user-store";

/** The members in memory. */
export class UserMirror {
  readonly #rows: MirroredRows<UserRecord>;

  constructor(users: readonly UserRecord[] = []) {
    this.#rows = new MirroredRows(users);
  }

  find(id: string): UserRecord | undefined {
    return this.#rows.find(id);
  }

  /** Ignores the case of `email`. */
  findByEmail(email: string): UserRecord | undefined {
    const folded = email.toLowerCase();
    return this.list().find((user) => user.email === folded);
  }

  /** Oldest first. */
  list(): UserRecord[] {
    return this.#rows.list();
  }

  following(store: Pick<UserStore, "list" | "find">): Mirror {
    return this.#rows.following("users", store);
  }
}
