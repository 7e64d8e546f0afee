import type { UserRecord } from "./user-store";

/** The members in memory. Mirrors the user store. */
export class UserBook {
  readonly #byId = new Map<string, UserRecord>();

  constructor(users: readonly UserRecord[]) {
    for (const user of users) this.put(user);
  }

  find(id: string): UserRecord | undefined {
    return this.#byId.get(id);
  }

  /** `email` in any case of letters. */
  findByEmail(email: string): UserRecord | undefined {
    const folded = email.toLowerCase();
    return this.list().find((user) => user.email === folded);
  }

  /** Oldest first. */
  list(): UserRecord[] {
    return [...this.#byId.values()];
  }

  put(user: UserRecord): void {
    this.#byId.set(user.id, user);
  }

  remove(id: string): void {
    this.#byId.delete(id);
  }
}
