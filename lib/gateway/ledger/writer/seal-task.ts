import { SealBrokenError, seal, unseal } from "../../database/seal";
import { Secret } from "../../secrets/secret";

const describeSealedTask = (taskId: string) => `task ${taskId}`;

/** Seals a text of a task, so that it opens for this task alone. */
export function sealTaskText(
  text: string,
  taskId: string,
  sealing: { key: Uint8Array; random(bytes: number): Uint8Array },
): string {
  return seal(new Secret(text), describeSealedTask(taskId), sealing);
}

/** Null for a text that was sealed with another secret. */
export function openTaskText(sealedText: string, taskId: string, key: Uint8Array): string | null {
  try {
    return unseal(sealedText, describeSealedTask(taskId), key).reveal();
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}
