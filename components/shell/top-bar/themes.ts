import { Monitor, Moon, Sun } from "lucide-react";

export const themes = [
  { id: "light", label: "Light", command: "Use the light theme", icon: Sun },
  { id: "dark", label: "Dark", command: "Use the dark theme", icon: Moon },
  { id: "system", label: "Same as the system", command: "Use the system’s theme", icon: Monitor },
] as const;
