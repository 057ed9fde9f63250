"""A supervisor of small programs. Arguments: the grace, then scripts to keep running; ``once:`` marks a step."""

import sys
from pathlib import Path

from config.supervisor import Program, Stopped, Supervisor


def main() -> None:
    grace, *scripts = sys.argv[1:]
    with Supervisor(say=lambda line: print(line, flush=True), directory=Path.cwd(), grace=float(grace)) as supervisor:
        for script in scripts:
            name = Path(script).stem
            if script.startswith("once:"):
                program = Program(name=name, arguments=[script.removeprefix("once:")])
                try:
                    print("once", supervisor.once(program), flush=True)
                except Stopped:
                    print("stopped", flush=True)
                    return
            else:
                supervisor.add(Program(name=name, arguments=[script]))
        supervisor.run()
    print("end", flush=True)


if __name__ == "__main__":
    main()
