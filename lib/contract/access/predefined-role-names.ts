/**
 * The names of the predefined roles by their ids, apart from their permissions: screens that only name roles load less.
 */
export const predefinedRoleNames = {
  role_owner: "Owner",
  role_project_member: "Project member",
  role_project_owner: "Project owner",
  role_admin: "Admin",
  role_finance: "Finance",
  role_prompt_tester: "Prompt tester",
  role_reader: "Reader",
  role_directory: "Directory",
  role_project_viewer: "Project viewer",
} as const;
