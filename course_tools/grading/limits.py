"""Every limit of grading in one place: its value, its unit, and why it is there.

`Limits` holds what one submission may use and can be set for a run; the names below
it are the same for every run. Sizes are in bytes and times in seconds unless a name
says otherwise.
"""

from dataclasses import dataclass

MEGABYTE = 1 << 20
GIGABYTE = 1 << 30

TOTAL_CELLS = 20  # cells' time that a submission has in all, unless that is given


@dataclass(frozen=True)
class Limits:
    """What one submission may use; times in seconds, sizes in bytes.

    `cell_seconds` bounds one student cell and one question (test cell) alike, as
    nbgrader's time-out does; `cpu_seconds` bounds the whole submission, and so does
    `total_seconds` (waiting included), which is 20 cells' time unless given.
    `output` bounds what one cell may show, `outputs_total` a whole notebook.
    """

    cell_seconds: float = 30.0
    cpu_seconds: int = 600
    total_seconds: float | None = None
    restarts: int = 3
    memory: int = 2048 * MEGABYTE
    processes: int = 64
    file_size: int = 64 * MEGABYTE
    disk: int = 128 * MEGABYTE
    output: int = 4 * MEGABYTE
    outputs_total: int = 16 * MEGABYTE
    message: int = 64 * MEGABYTE
    traffic: int = 1024 * MEGABYTE
    depth: int = 60
    calls: int = 100_000
    nested_calls: int = 40
    handles: int = 100_000

    @property
    def all_seconds(self) -> float:
        """How long a submission may take in all, with every repetition."""
        given = self.total_seconds
        return TOTAL_CELLS * self.cell_seconds if given is None else given


# ---- what is handed in ----

NOTEBOOK_BYTES = 32 * MEGABYTE  # a file that is larger is not read at all
NOTEBOOK_CELLS = 2_000  # each costs a turn of judge and student
NOTEBOOK_VALUES = 2_000_000  # texts, lists, … in it: each takes 60 bytes or more
CELL_CHARACTERS = 1_000_000  # parsers slow down on longer texts
FOLDER_FILES = 1_000  # files beside the notebook that are carried into the sandbox
INBOUND_FILES = 20 * FOLDER_FILES  # at the exchange: more would hold up the class
FOLDER_BYTES = 64 * MEGABYTE  # of all these files together
FOLDER_DEPTH = 10  # nested folders that are looked into
STAMP_BYTES = 100  # of timestamp.txt: the parser would be busy for long
SECRET_BYTES = 1_000  # of submission_secret.txt; nbgrader writes 128
LONGEST_TIMEOUT = 100_000.0  # seconds that --timeout accepts: beyond it is a slip

# ---- processes and waiting ----

PATIENCE_SECONDS = 10.0  # what our own processes may take beyond the student's time
REHEARSAL_PATIENCE_SECONDS = 20.0  # the same for a rehearsal, which starts cold
PROBE_SECONDS = 60.0  # to try one kind of sandbox on a busy machine
PLAIN_START_SECONDS = 300.0  # for a process that is not forked to import everything
ENDING_SECONDS = 5.0  # for the warm process to end of itself, before it is killed
KILLED_SECONDS = 10.0  # for a killed process to be gone
CLOSING_SECONDS = 2.0  # between the end of a connection and that of its process
CLUSTER_SECONDS = 10.0  # to reach a Dask scheduler
CLUSTER_WORKER_SECONDS = 60.0  # for its first worker to be there
GRADEBOOK_WAIT_MILLISECONDS = 10_000  # for others who write to an SQLite file
ALARM_GRACE_SECONDS = 1.0  # the link says "no answer" before the alarm of a test rings
STUCK_SECONDS = 5.0  # of the processor, beyond twice the time, for a deaf judge to end
IMPORT_SECONDS = 10.0  # for one import of the instructor's, in the judge
JUDGE_CPU_SECONDS = 3600  # the judge is ours: only a bound against running for ever
JOB_ATTEMPTS = 5  # to run a submission that is disturbed from outside
ZYGOTE_ATTEMPTS = 3  # to start over when the warm process is lost
SLOTS_PER_ZYGOTE = 4  # forks of one warm process wait for each other
REHEARSED_FROM = 8  # submissions; for fewer it is not worth while to rehearse
SETTLED_SECONDS = 0.1  # a submission that arrives is left alone while it changes
HALF_WRITTEN_SECONDS = 5.0  # for the rest of a notebook that cannot be read yet
WATCH_PAUSE_SECONDS = 0.1  # between two looks at the folders of submissions
WATCH_SHARE = 0.05  # of one core: looking at many folders makes pauses longer
RETRY_SECONDS = 10.0  # until a watch tries again what the machine has spoilt
RETRIES = 5  # times that it tries this
OPEN_FILES = 512  # of one process in the sandbox
INODES = 4_096  # files that fit into one folder in memory
WARM_MEMORY = 256 * MEGABYTE  # what a fork of the warm process brings along

# ---- messages between processes ----

CONTROL_BYTES = GIGABYTE  # one message between our own processes: files, plan, verdict
COMMAND_BYTES = 65_536  # one command to the warm process, in one packet
CHUNK_BYTES = MEGABYTE  # read or written by one system call
AHEAD_BYTES = 65_536  # fetched beyond a frame, to save system calls
NAME_CHARACTERS = 300  # of a class of the student's
CLASS_BASES = 50  # of a class of the student's that are looked at
WARNINGS = 100  # of one call that are passed on
STUDENT_TEXT_CHARACTERS = 20_000  # of one message or one print of student code
ANSWER_TEXT_CHARACTERS = 1_000  # of an error in a test's function, told to the student
ARRAY_AXES = 32  # numpy has no more, either
PROCESS_DIGITS = 10  # of the number of a process, told with its connection
KIND_CHARACTERS = 20  # of the word that says what a thing is: function, class, …
SHORT_TEXT_CHARACTERS = 200  # of a name or a field within a message
INTEGER_CHARACTERS = 1_000_000  # of a whole number in hex: what is done with it waits
EXPONENT = 10_000  # of a decimal number: arithmetic with larger ones takes for ever
NUMBER_CHARACTERS = 10_000  # of a fraction or decimal number, for the same reason

# ---- what is told ----

MESSAGE_CHARACTERS = 2_000  # of the message of one question
TRACEBACK_CHARACTERS = 5_000  # of the student's traceback beside it
VALUE_CHARACTERS = 10_000  # of the last value of a test cell
REMARK_CHARACTERS = 200  # of a remark about the instructor's own solution
SHOWN_NAME_CHARACTERS = 60  # of a name that a student chose, in an incident
SHOWN_FILE_CHARACTERS = 100  # of the name of a file, in an incident
INCIDENTS = 50  # a report is to be read: more are counted, not listed
HIDDEN_LINES = 4  # printed by a test with hidden checks: each could tell of them
HIDDEN_TEXTS = 2  # put into one message: each is a way to tell of hidden inputs

# ---- outputs and pages ----

OUTPUTS = 200  # of one cell
ERROR_NAME_CHARACTERS = 200
ERROR_TEXT_CHARACTERS = 10_000  # of an error's message, and of one line of traceback
ERROR_LINES = 100  # of one traceback
RICH_CHARACTERS = 50_000  # of HTML, markdown or LaTeX: what renders these is not fast
CODE_CHARACTERS = 50_000  # of one cell that is coloured: pygments may take minutes
MARKUP_CHARACTERS = 4_000  # signs of markdown in one cell: mistune may take minutes
MARKUP_COST = 4_000  # the same for nbgrader's pages, see pages.html.cost
MARKUP_TOTAL = 20_000  # of all texts in a notebook, on nbgrader's pages
BEGIN_COST = 20  # there, of one \begin{…}: the rest is searched for its end
PLAIN_COST = 250  # there, so many characters cost as much as one sign
COPIED_CHARACTERS = 500_000_000  # nbconvert copies the rest at every change of colour
HTML_TOTAL = 20_000_000  # the same of all outputs of a notebook
HTML_STEPS = 5_000_000  # open tags times tags of one output: so many nh3 may visit
SHARED_PIECES = 4_000  # of markdown and of code, kept for all pages of a class
KEPT_CHARACTERS = 100_000  # of such a piece: a longer one is made anew
FORMULA_CHARACTERS = 2_000  # of one formula
FORMULA_SECONDS = 0.5  # of the processor, to set one formula; most take 3 ms
FORMULA_MEMORY = 256 * MEGABYTE  # of the engine that sets formulas
FORMULA_STACK = MEGABYTE  # of the same: formulas within formulas
FORMULAS_SECONDS = 2.0  # to set all new formulas of a page; the rest stay as written
FORMULAS_BYTES = 4 * MEGABYTE  # of all formulas of a page, once they are set
PAGE_SECONDS = 10.0  # of the processor, to make one page
PAGE_PATIENCE = 12  # times as many on the clock, on a machine with much else to do
PAGE_START_SECONDS = 120.0  # for the process that makes pages to import what it needs
PAGE_BYTES = 128 * MEGABYTE  # of one page
PAGE_MEMORY = 4 * GIGABYTE  # of the process that makes pages
PAGE_ERROR_CHARACTERS = 500  # of the reason why a page could not be made
