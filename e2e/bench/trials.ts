import { tryDisconnects } from "./trials/disconnects";
import { tryOverload } from "./trials/overload";
import { trySilence } from "./trials/silence";
import { trySoak } from "./trials/soak";
import type { TrialResult } from "./trials/trial-result";
import { tryUnreadStream } from "./trials/unread-stream";

/** What is no figure beside the other targets' but a question with an answer, put to a gateway of its own. */
export interface Trial {
  readonly name: string;
  run(): Promise<TrialResult>;
  /** Takes minutes: it is run when it is named, and not with all others. */
  readonly isAlone?: boolean;
}

export const trials: readonly Trial[] = [
  { name: "20 disconnects", run: tryDisconnects },
  { name: "unread stream", run: tryUnreadStream },
  { name: "14 s of silence", run: trySilence },
  { name: "overload", run: tryOverload },
  { name: "soak", run: trySoak, isAlone: true },
];
