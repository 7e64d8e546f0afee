"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";

type SecretInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** What it holds, in the words of its button: "Show the …". */
  what: string;
};

/** What nobody should read over a shoulder, and whoever types it can look at. */
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
          label={`${isShown ? "Hide" : "Show"} the ${what}`}
          icon={isShown ? <EyeOff /> : <Eye />}
          onClick={() => setIsShown(!isShown)}
        />
      </span>
    </div>
  );
}
