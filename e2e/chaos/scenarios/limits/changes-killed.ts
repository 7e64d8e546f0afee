import { setTimeout } from "node:timers/promises";
import { fetchWithKey } from "@/e2e/support/clients/send";
import type { ConfigurationPlan } from "@/lib/contract/operations/configuration/configuration";
import type { RateLimitPair } from "@/lib/contract/operations/models/rate-limit-changes";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

interface Page<Item> {
  readonly data: readonly Item[];
}
type Project = { readonly id: string; readonly name: string };

/** A way to set every limit to a value in one request. */
interface Way {
  readonly name: string;
  /** What it leaves in the audit log, once. */
  readonly event: string;
  /** @returns the path and body of the request that is interrupted. */
  prepare(value: number): Promise<{ readonly path: string; readonly body: object }>;
}

/** The largest change is 10,000 limits at once. */
const PROJECTS = { full: 100, smoke: 6 };
const MODELS = { full: 100, smoke: 10 };

export const changesKilled: Scenario = {
  name: "changes-killed",
  does: "{size} changes of 10,000 limits, half of them a configuration that is applied, ended by kill -9 at any moment: all of one or none, and its event with it",
  full: 20,
  smoke: 2,
  async run({ size, isSmoke, random }) {
    const [projectCount, modelCount] = isSmoke
      ? [PROJECTS.smoke, MODELS.smoke]
      : [PROJECTS.full, MODELS.full];
    const models = Array.from({ length: modelCount }, (_, index) => ({ ...PLAIN_MODEL, id: `m${index}` }));
    const stage = await startFaultStage({ models });
    const faults: string[] = [];
    const lengths = new Map<Way, number>();
    let [made, undone] = [0, 0];
    try {
      const projects = await createProjects(stage, projectCount);
      const ways = listWays(
        stage,
        projects,
        models.map(({ id }) => id),
      );
      for (let index = 0; index < size; index++) {
        const way = ways[index % ways.length] as Way;
        const value = 1_000 + index;
        const length = lengths.get(way) ?? (await measure(stage, way, 900 + index));
        lengths.set(way, length);
        const before = await countEvents(stage, way);
        const { path, body } = await way.prepare(value);
        const reply = post(stage, path, body).catch(() => null);
        await setTimeout(random.between(0, Math.ceil(1.2 * length)));
        await stage.gateway.restart("SIGKILL");
        const isAnswered = (await reply)?.ok === true;
        const changed = await countLimits(stage, projects, value);
        const events = (await countEvents(stage, way)) - before;
        const expected = changed === 0 ? 0 : 1;
        if (changed !== 0 && changed !== projectCount * modelCount)
          faults.push(`${way.name}: ${changed} of ${projectCount * modelCount} limits were changed`);
        if (events !== expected) faults.push(`${way.name}: ${events} events for ${changed} limits`);
        if (isAnswered && changed === 0) faults.push(`${way.name}: it was answered, and is gone`);
        if (changed === 0) undone++;
        else made++;
      }
      faults.push(...examine(stage.databasePath, Date.now()).flatMap((finding) => finding.faults));
      return { faults, figures: { limits: projectCount * modelCount, made, undone } };
    } finally {
      await stage.stop();
    }
  },
};

async function createProjects({ admin }: Stage, count: number): Promise<Project[]> {
  const projects: Project[] = [];
  for (let index = 0; index < count; index++)
    projects.push(await admin.call<Project>("POST", "/projects", { name: `Project ${index}` }));
  return projects;
}

function listWays({ admin }: Stage, projects: readonly Project[], models: readonly string[]): Way[] {
  const limits = (value: number) => ({ max_requests_per_1_minute: value });
  return [
    {
      name: "changes",
      event: "rate_limits.changed",
      async prepare(value) {
        const changes = projects.flatMap(({ id }) =>
          models.map((model) => ({ project_id: id, model, ...limits(value) })),
        );
        return { path: "/rate_limits/changes", body: { changes } };
      },
    },
    {
      name: "configuration",
      event: "configuration.applied",
      async prepare(value) {
        const rate_limits = Object.fromEntries(models.map((model) => [model, limits(value)]));
        const file = JSON.stringify({ projects: projects.map(({ name }) => ({ name, rate_limits })) });
        const { id, changes } = await admin.call<ConfigurationPlan>("POST", "/configuration/plan", { file });
        const back = changes.filter(({ origin, kind }) => origin === "here" && kind === "update");
        const body = { plan_id: id, back: back.map((change) => change.id) };
        return { path: "/configuration/apply", body };
      },
    },
  ];
}

/** How many milliseconds a change takes: a moment within is in the middle of the next one. */
async function measure(stage: Stage, way: Way, value: number): Promise<number> {
  const { path, body } = await way.prepare(value);
  const began = performance.now();
  const reply = await post(stage, path, body);
  if (!reply.ok) throw new Error(`${way.name}: ${await reply.text()}`);
  return Math.ceil(performance.now() - began);
}

const post = ({ baseUrl, gateway }: Stage, path: string, body: object) =>
  fetchWithKey(`${baseUrl}/organization${path}`, { method: "POST", key: gateway.adminKey, body });

/** How many limits of the projects have the value. */
async function countLimits({ admin }: Stage, projects: readonly Project[], value: number): Promise<number> {
  const { data } = await admin.call<Page<RateLimitPair>>("GET", "/rate_limits?limit=10000&set_by_hand=true");
  const ours = new Set(projects.map(({ id }) => id));
  return data.filter((pair) => ours.has(pair.project_id) && pair.max_requests_per_1_minute === value).length;
}

async function countEvents({ admin }: Stage, { event }: Way): Promise<number> {
  const { data } = await admin.call<Page<object>>("GET", `/audit_logs?limit=100&event_types[]=${event}`);
  return data.length;
}
