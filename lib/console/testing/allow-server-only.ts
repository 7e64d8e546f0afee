import { mock } from "bun:test";

// Next.js alone resolves "server-only", which its build refuses in modules of the browser. Tests run without a build.
mock.module("server-only", () => ({}));
