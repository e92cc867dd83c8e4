const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "is a folder, not a file",
  ENOTDIR: "is a file, not a folder",
  EACCES: "no permission to read it",
  ELOOP: "its symbolic links lead in a circle",
};

/** Why the file system refused to read something, in words. Rethrows what is not its error. */
export function unreadable(error: unknown): string {
  if (!(error instanceof Error && "code" in error)) throw error;
  return REASONS[String(error.code)] ?? `cannot be read (${error.message})`;
}
