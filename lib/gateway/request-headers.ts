/** The headers of a request. Names are found in any case, and values of a repeated header are joined with ", ". */
export type RequestHeaders = Pick<Headers, "get" | "has">;
