type ProjectNameProps = {
  /** `id` is undefined where the name stands for all projects. */
  project: { readonly id?: string | undefined; readonly name: string };
};

/** The name of a project in a sentence, where a name such as “Nothing yet” would be read as a part of it. */
export function ProjectName({ project: { id, name } }: ProjectNameProps) {
  return id === undefined ? name : <strong className="font-medium text-foreground">{name}</strong>;
}
