import { newId } from "@/lib/contract/ids";
import type { Effects } from "../effects";
import { conflict } from "../refusal";
import type { UserMirror } from "./user-mirror";
import type { UserRecord } from "./user-store";

/**
 * A member who is not stored yet and holds no role. `email` is a validated address in any case.
 * @throws Refusal 409 if a member has it.
 */
export function newUser(
  { userMirror, effects }: { userMirror: UserMirror; effects: Effects },
  draft: { email: string; name: string },
): UserRecord {
  const email = draft.email.toLowerCase();
  if (userMirror.findByEmail(email)) throw conflict("email", `${email} belongs to a member already.`);
  const createdAtMs = effects.clock.nowMs();
  return {
    id: newId("user", createdAtMs, effects.random),
    email,
    name: draft.name,
    developerPersona: null,
    technicalLevel: null,
    createdAtMs,
  };
}
