import { apiRoute } from "@/lib/console/api-route";

export const GET = apiRoute("listRequests");
