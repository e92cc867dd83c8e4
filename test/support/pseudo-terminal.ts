import { spawn, spawnSync } from "node:child_process";
import { BIN } from "./cli.js";

/** Whether there is a Python to make a pseudo-terminal with; tests that need one are skipped elsewhere. */
export const hasPseudoTerminal = spawnSync("python3", ["-c", "import pty"]).status === 0;

if (!hasPseudoTerminal && process.env.CI) throw new Error("no python3 with pty: install it");

const SCRIPT = `
import fcntl, os, pty, struct, sys, termios
columns, rows, stop_at = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(sys.argv[4], sys.argv[4:])
seen = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    seen += piece
    if stop_at and stop_at in seen:
        os.write(terminal, b"\\x03")
        stop_at = b""
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

interface TerminalRun {
  readonly code: number | null;
  /** Everything that was sent to the terminal. */
  readonly sent: string;
}

interface TerminalOptions {
  readonly cwd: string;
  readonly columns: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Presses Ctrl-C once this was shown. */
  readonly interruptAt?: string;
}

/** The command line on a real terminal of so many columns: stdin, stdout and stderr are it. */
export function cliOnTerminal(args: readonly string[], options: TerminalOptions): Promise<TerminalRun> {
  const { cwd, columns, rows = 24, env = {}, interruptAt = "" } = options;
  const child = spawn(
    "python3",
    ["-c", SCRIPT, String(columns), String(rows), interruptAt, process.execPath, BIN, ...args],
    { cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: "xterm-256color", ...env } },
  );
  let sent = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    sent += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, sent }));
  });
}
