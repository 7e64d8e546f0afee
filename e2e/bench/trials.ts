import { tryBatch } from "./trials/batch";
import { tryDisconnects } from "./trials/disconnects";
import { tryOverload } from "./trials/overload";
import { tryResponses } from "./trials/responses";
import { trySilence } from "./trials/silence";
import { trySoak } from "./trials/soak";
import { tryTranslation } from "./trials/translation";
import type { TrialResult } from "./trials/trial-result";
import { tryUnreadStream } from "./trials/unread-stream";

/** A test of one behavior of a separate gateway, whose figures are not compared with the other targets. */
export interface Trial {
  readonly name: string;
  run(): Promise<TrialResult>;
  /** Takes minutes, so it runs only if it is named. */
  readonly isAlone?: boolean;
}

export const trials: readonly Trial[] = [
  { name: "20 disconnects", run: tryDisconnects },
  { name: "unread stream", run: tryUnreadStream },
  { name: "14 s of silence", run: trySilence },
  { name: "translated stream of 200", run: tryTranslation },
  { name: "responses", run: tryResponses },
  { name: "overload", run: tryOverload },
  { name: "soak", run: trySoak, isAlone: true },
  { name: "batch", run: tryBatch, isAlone: true },
];
