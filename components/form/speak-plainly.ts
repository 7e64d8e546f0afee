import { speakPlainly } from "@/lib/contract/describe-issue";

speakPlainly();
