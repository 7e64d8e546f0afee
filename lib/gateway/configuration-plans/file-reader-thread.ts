import { installPlainMessages } from "@/lib/contract/describe-issue";
import { readPlannedFile } from "../configuration/read-configuration";
import { builtIn } from "../models/sandbox-models";

/** The thread that reads configuration files. */
declare const self: Worker;

installPlainMessages();
self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(readPlannedFile(data, builtIn));
