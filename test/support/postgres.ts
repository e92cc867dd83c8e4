import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";

export interface PostgresServer {
  /** URL of its superuser's database. */
  readonly url: string;
  /** Runs statements as its superuser; rows of the last one. */
  sql(text: string): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** Debian keeps the server's programs out of the PATH. */
const DEBIAN = "/usr/lib/postgresql";

/** The folder of Postgres's own programs; null where it is not installed. */
function findPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...versions.map((version) => path.join(DEBIAN, version, "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ];
  return (
    places.find((place) => existsSync(path.join(place, "initdb")) && existsSync(path.join(place, "postgres"))) ?? null
  );
}

export const postgresPrograms: string | null = findPrograms();

if (postgresPrograms === null && process.env.CI) {
  throw new Error("no Postgres server here: install Debian's postgresql");
}

/** Postgres refuses to run as root: then it runs as the user `nobody`. */
const NOBODY = 65534;
const asUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A real server with a new, empty cluster, on a free port of the loopback. */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "daw-eval-pg-"));
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
  const program = (name: string) => path.join(programs, name);
  const options = { ...asUser, cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: "C" } } as const;
  const data = path.join(folder, "data");
  execFileSync(program("initdb"), ["-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...options,
    stdio: "ignore",
  });
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"];
  const server = spawn(program("postgres"), ["-D", data, ...settings.flatMap((one) => ["-c", one])], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    let log = "";
    server.stderr.on("data", (data: Buffer) => {
      log += data.toString();
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
  });
  const url = `postgres://owner@127.0.0.1:${port}/postgres`;
  return {
    url,
    sql: async (text) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const answers = [await client.query(text)].flat();
        return answers.at(-1)?.rows ?? [];
      } finally {
        await client.end();
      }
    },
    stop: async () => {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      // SIGINT is its fast shutdown: sessions are ended, not waited for.
      server.kill("SIGINT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
