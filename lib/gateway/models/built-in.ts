import type { BuiltIn } from "../configuration/configuration";
import { SANDBOX } from "./providers/provider-directory";
import { sandboxModels } from "./sandbox-models";

/** The built-in provider and its models, which the configuration file may not redefine. */
export const builtIn: BuiltIn = { provider: SANDBOX, models: sandboxModels.map(({ id }) => id) };
