import { EnvironmentError, environment } from "./environment";

/** Ends the process with one message that lists all faults, if its environment is unusable. */
export function requireEnvironment(): void {
  try {
    environment();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
