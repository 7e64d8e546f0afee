import { expect, test } from "bun:test";
import { createProblem, type GatewayReply } from "@/lib/console/gateway/problem";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { listKnownProjects } from "./list-known-projects";

const project = (id: string, status = "active") => ({ id, name: id.toUpperCase(), status }) as Project;
const found = (one: Project): GatewayReply<Project> => ({ ok: true, data: one, requestId: null });
const gone = { ok: false, problem: createProblem("not_found", "There is no such project") } as const;

async function list(has_more: boolean, chosen: string | null, reply: GatewayReply<Project> = gone) {
  const asked: string[] = [];
  const page = { data: [project("a"), project("b", "archived")], has_more };
  const projects = await listKnownProjects(page, chosen, async (id) => {
    asked.push(id);
    return reply;
  });
  return { ids: projects.map(({ id }) => id), asked };
}

test("the chosen project stays among the known ones where there are more than a page of them", async () => {
  expect(await list(true, "z", found(project("z")))).toEqual({ ids: ["a", "z"], asked: ["z"] });
});

test("a chosen project that is archived or gone is none of the known ones", async () => {
  expect((await list(true, "z", found(project("z", "archived")))).ids).toEqual(["a"]);
  expect((await list(true, "z")).ids).toEqual(["a"]);
});

test("nothing more is read where the page has the chosen project, or is the only one", async () => {
  expect(await list(true, "a")).toEqual({ ids: ["a"], asked: [] });
  expect(await list(false, "z")).toEqual({ ids: ["a"], asked: [] });
  expect(await list(true, null)).toEqual({ ids: ["a"], asked: [] });
});
