import * as z from "zod/mini";

/**
 * The header with a device's token. Attempts from a known device are counted separately from those of unknown devices.
 */
export const DEVICE_HEADER = "x-gatehouse-device";

/** The token of a new device; absent for a known one. */
export const deviceToken = z.optional(z.string());
