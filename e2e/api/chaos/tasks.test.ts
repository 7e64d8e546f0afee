import { runInSmall } from "../../chaos/testing/run-in-small";

runInSmall("tasks");
