import { boolean, integer, json, text, time } from "./columns";
import { table } from "./table";

export const promptTables = [
  // Saved prompts. Names, cases and versions are encrypted.
  table(
    "prompts",
    {
      id: text.primaryKey(),
      project_id: text,
      owner_id: text,
      owner_name: text,
      sealed_name: text,
      is_shared: boolean.check("is_shared IN (0, 1)"),
      sealed_cases: text,
      latest_version: integer,
      created_at_ms: time,
      updated_at_ms: time,
    },
    {
      indexes: {
        prompts_shared: { on: "project_id, id", where: "is_shared = 1" },
        prompts_by_owner: { on: "owner_id, is_shared, project_id, id" },
      },
      triggers: {
        prompts_are_sized: {
          on: "AFTER INSERT",
          run: `INSERT INTO prompt_sizes (prompt_id, owner_id, bytes) VALUES (NEW.id, NEW.owner_id, octet_length(NEW.sealed_cases));`,
        },
        prompt_cases_are_sized: {
          on: "AFTER UPDATE OF sealed_cases",
          run: `UPDATE prompt_sizes SET bytes = bytes + octet_length(NEW.sealed_cases) - octet_length(OLD.sealed_cases) WHERE prompt_id = NEW.id;`,
        },
      },
    },
  ),
  table(
    "prompt_versions",
    {
      id: text.primaryKey(),
      prompt_id: text.references("prompts.id", "cascade"),
      number: integer,
      author_id: text,
      author_name: text,
      sealed_content: text,
      created_at_ms: time,
    },
    {
      unique: [["prompt_id", "number"]],
      indexes: { prompt_versions_by_prompt: { on: "prompt_id, id" } },
      triggers: {
        prompt_versions_are_sized: {
          on: "AFTER INSERT",
          run: `UPDATE prompt_sizes SET bytes = bytes + octet_length(NEW.sealed_content) WHERE prompt_id = NEW.prompt_id;`,
        },
      },
    },
  ),
  // Runs of a prompt's cases and the answers of their calls, encrypted.
  table(
    "prompt_runs",
    {
      id: text.primaryKey(),
      prompt_id: text.references("prompts.id", "cascade"),
      author_id: text,
      author_name: text,
      versions: json,
      models: json,
      sealed_cases: text,
      created_at_ms: time,
    },
    {
      indexes: {
        prompt_runs_by_prompt: { on: "prompt_id, id" },
        prompt_runs_by_age: { on: "created_at_ms" },
      },
      triggers: {
        prompt_runs_are_sized: {
          on: "AFTER INSERT",
          run: `UPDATE prompt_sizes SET bytes = bytes + octet_length(NEW.sealed_cases) WHERE prompt_id = NEW.prompt_id;`,
        },
        // The trigger runs before the run is deleted, while its results are there.
        prompt_runs_are_freed: {
          on: "BEFORE DELETE",
          run: `UPDATE prompt_sizes SET bytes = bytes + -octet_length(OLD.sealed_cases)
        - (SELECT coalesce(sum(octet_length(sealed_result)), 0) FROM prompt_results WHERE run_id = OLD.id) WHERE prompt_id = OLD.prompt_id;`,
        },
      },
    },
  ),
  table(
    "prompt_results",
    {
      run_id: text.references("prompt_runs.id", "cascade"),
      version: integer,
      case_number: integer,
      model: text,
      sealed_result: text,
    },
    {
      primaryKey: ["run_id", "version", "case_number", "model"],
      withoutRowid: true,
      triggers: {
        prompt_results_are_sized: {
          on: "AFTER INSERT",
          run: `UPDATE prompt_sizes SET bytes = bytes + octet_length(NEW.sealed_result) WHERE prompt_id = (SELECT prompt_id FROM prompt_runs WHERE id = NEW.run_id);`,
        },
        prompt_results_are_sized_again: {
          on: "AFTER UPDATE",
          run: `UPDATE prompt_sizes SET bytes = bytes + octet_length(NEW.sealed_result) - octet_length(OLD.sealed_result) WHERE prompt_id = (SELECT prompt_id FROM prompt_runs WHERE id = NEW.run_id);`,
        },
      },
    },
  ),
  // The bytes that each prompt takes with its versions, runs and results, kept by triggers, so that one member's
  // prompts can be bounded without reading them.
  table(
    "prompt_sizes",
    {
      prompt_id: text.primaryKey().references("prompts.id", "cascade"),
      owner_id: text,
      bytes: integer,
    },
    {
      withoutRowid: true,
      indexes: { prompt_sizes_by_owner: { on: "owner_id, bytes" } },
    },
  ),
];
