import type { Permission } from "@/lib/contract/permissions";
import type { ResourceType } from "@/lib/contract/predefined-roles";

/** A role that people made. Predefined ones stand in the code. */
export interface RoleRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly permissions: readonly Permission[];
  readonly resourceType: ResourceType;
  readonly createdAtMs: number;
}

export interface RoleStore {
  /** Oldest first. */
  list(resourceType: ResourceType): Promise<RoleRecord[]>;
  find(id: string): Promise<RoleRecord | null>;
  insert(role: RoleRecord): Promise<void>;
  update(role: RoleRecord): Promise<void>;
  delete(id: string): Promise<void>;
  /** Whether a key that is not revoked holds the role. */
  isHeld(id: string): Promise<boolean>;
  /** Runs a check and the write that relies on it in one transaction: nobody writes in between. */
  atomically<Result>(work: (roles: RoleStore) => Promise<Result>): Promise<Result>;
}
