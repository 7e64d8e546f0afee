import { taskOperations } from "@/lib/contract/operations/tasks/tasks";
import { authenticateAgain } from "../../access/authenticate";
import { authorizeAgain } from "../../access/authorize";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import type { TaskRecord } from "../../tasks/task-store.sql";
import { describeTask, requestCancellation } from "../../tasks/tasks";
import type { Handlers, RawHandlers } from "../handler";
import { paginate } from "../paginate";
import { findOwnTask, isMadeBy } from "../visible-work";
import { answerOutput, streamEvents, type TaskRoutesContext } from "./tasks";

interface Context extends TaskRoutesContext {
  readonly requests: Pick<RequestLogReader, "find">;
}

/** The tasks of whoever asks. They need no permission, as for the calls that made them. */
export function ownTaskRoutes(
  context: Context,
): Handlers<"listOwnTasks" | "retrieveOwnTask" | "cancelOwnTask"> {
  const describe = (task: TaskRecord) => describeTask(task, context.organization.currency);
  return {
    listOwnTasks: ({ query: { project_id, status, model, ...page }, caller }) => {
      const projectIds = project_id === undefined ? null : [project_id];
      const filter = { projectIds, keyIds: [caller.keyId], status, model };
      return paginate(context.tasks.pages(filter), page, describe);
    },
    retrieveOwnTask: async ({ params, caller }) =>
      describe(await findOwnTask(context, params.task_id, caller)),
    cancelOwnTask: async ({ params, headers, request }) =>
      describe(
        await requestCancellation(context, request, () =>
          findOwnTask(context, params.task_id, authenticateAgain(context, headers)),
        ),
      ),
  };
}

/** The operations whose replies are not JSON. */
export function ownTaskStreams(
  context: Context,
): Pick<RawHandlers, "streamOwnTaskEvents" | "retrieveOwnTaskOutput"> {
  return {
    async streamOwnTaskEvents(requestContext, caller, { task_id = "" }) {
      await findOwnTask(context, task_id, caller);
      return streamEvents(context, requestContext, { caller, id: task_id }, (one, task) =>
        isMadeBy(context, one, task),
      );
    },
    async retrieveOwnTaskOutput(requestContext, caller, params) {
      const { task_id = "", position = "" } = params;
      const { headers } = requestContext.request;
      const refuseLostAccess = () =>
        void authorizeAgain(context, headers, taskOperations.retrieveOwnTaskOutput, params);
      const task = await findOwnTask(context, task_id, caller);
      return answerOutput(context, requestContext, { task, position, refuseLostAccess });
    },
  };
}
