import { Refusal } from "../../refusal";
import type { Provider } from "./provider-directory";

/** @throws Refusal 403 for a built-in provider, and for one of the configuration file. */
export function refusePredefined({ id, source }: Provider, done: "changed" | "removed"): void {
  if (source === "database") return;
  const there = done === "changed" ? "change" : "remove";
  const message =
    source === "config"
      ? `"${id}" stands in the configuration file; ${there} it there and restart the gateway.`
      : `"${id}" is built in and can't be ${done}.`;
  throw new Refusal(403, "permission_error", "predefined_provider", message, { param: "provider_id" });
}
