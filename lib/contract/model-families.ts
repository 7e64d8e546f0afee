export const modelFamilies = ["chat", "image", "video", "music", "audio", "embedding"] as const;
export type ModelFamily = (typeof modelFamilies)[number];
