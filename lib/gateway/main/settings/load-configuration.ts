import { readFileSync } from "node:fs";
import { describePathFault } from "@/lib/durability/sync-path";
import { type Configuration, emptyConfiguration } from "../../configuration/configuration";
import { readConfiguration } from "../../configuration/read-configuration";
import { builtIn } from "../../models/sandbox-models";
import type { GatewayOptions } from "../gateway-options";

/** The configuration file is invalid; `faults` lists everything that is wrong with it. */
export class ConfigurationFault extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
  }
}

/** @throws ConfigurationFault */
export function loadConfiguration({
  configFile,
  environment,
}: Pick<GatewayOptions, "configFile" | "environment">): Configuration {
  if (configFile === null) return emptyConfiguration;
  const result = readConfiguration(readFile(configFile), environment, builtIn);
  if ("faults" in result)
    throw new ConfigurationFault(result.faults.map((fault) => `${configFile}: ${fault}`));
  return result.configuration;
}

function readFile(configFile: string): string {
  try {
    return readFileSync(configFile, "utf8");
  } catch (error) {
    const fault = describePathFault(error, {
      path: configFile,
      other: "set GATEHOUSE_CONFIG to another file",
    });
    throw fault === null ? error : new ConfigurationFault([fault]);
  }
}
