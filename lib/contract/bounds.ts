// Bounds that screens name, apart from the schemas that hold them: a screen loads those after it can be used.

/** What a prompt and a run of it may have. */
export const MAX_CASES = 100;
export const MAX_CHECKS = 10;
export const MAX_VALUE_LENGTH = 20_000;

export const MAX_CELLS = 500;
export const MAX_MODELS = 8;
export const MAX_VERSIONS = 4;
/** The length at which stored answers are cut off, after the checks have read them whole. */
export const MAX_STORED_ANSWER_LENGTH = 50_000;

/** Names of variables, written `{{name}}` in texts. JSON readers drop a member named `__proto__`. */
export const VARIABLE_NAME = /^(?!__proto__$)[A-Za-z_][\w.-]{0,63}$/;

export const MAX_KEPT_DAYS = 365;

/** The most payments of one import. */
export const MAX_IMPORTED_PAYMENTS = 1_000;
