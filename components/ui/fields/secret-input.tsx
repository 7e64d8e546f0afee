"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";

type SecretInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** What it contains, as in its button: "Show …". */
  what: string;
};

/** A hidden secret with a button that reveals it. */
export function SecretInput({ what, className, ...input }: SecretInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative">
      <input
        autoCapitalize="none"
        spellCheck={false}
        {...input}
        type={isShown ? "text" : "password"}
        className={classNames("field h-9 pr-10 pointer-coarse:h-11 pointer-coarse:pr-12", className)}
      />
      <span className="absolute inset-y-0 right-0.5 grid place-items-center noscript:hidden">
        <IconButton
          label={`${isShown ? "Hide" : "Show"} ${what}`}
          icon={isShown ? <EyeOff /> : <Eye />}
          onClick={() => setIsShown(!isShown)}
        />
      </span>
    </div>
  );
}
