# The steps of "regions/us.yaml" as a DAG of Airflow 2.4 or later, or 3. Copy this file into the folder of DAGs.
#
# A step that ends well is done: a run that is begun again goes on from there. Paths are those of the workers, and are best
# absolute. With the executor of Kubernetes each step has a pod of its own, which executor_config below can give its image and
# the memory and disk of its row.
from __future__ import annotations

import subprocess
from datetime import datetime, timedelta

try:
    from airflow.sdk import DAG, BaseOperator  # Airflow 3
except ImportError:
    from airflow import DAG  # Airflow 2
    from airflow.models import BaseOperator
from airflow.exceptions import AirflowException, AirflowFailException

PROGRAM = "quartier"
OPTIONS = ["--release", "regions/us.yaml", "--work", "s3://places/work", "--data", "/data/it's here"]
QUEUES = {"small": "default", "large": "default"}  # by the class of the machine

STEPS = [  # task, id, tasks that it needs, minutes for an attempt, MiB of memory, MiB of disk, class, exit codes not to be retried
    ("ingest.us-delaware", "ingest.us-delaware", [], 16, 1024, 512, "small", [2, 3, 4, 6, 8]),
    ("ingest.us-texas", "ingest.us-texas", [], 126, 9216, 4608, "large", [2, 3, 4, 6, 8]),
    ("lend.us-delaware", "lend.us-delaware", ["ingest.us-delaware", "ingest.us-texas"], 10, 256, 0, "small", [2, 3, 4, 6, 8]),
    ("transform.us-texas", "transform.us-texas", ["ingest.us-texas"], 160, 12288, 6144, "large", [2, 3, 4, 6, 8]),
    ("transform.us-delaware", "transform.us-delaware", ["ingest.us-delaware", "lend.us-delaware"], 24, 2048, 1024, "small", [2, 3, 4, 6, 8]),
    ("release", "release", ["transform.us-delaware", "transform.us-texas"], 80, 2049, 1024, "small", [2, 3, 4, 6, 8]),
]


class Step(BaseOperator):
    """Runs a step; BashOperator would try again after every exit code."""

    def __init__(self, *, step_id, last, **options):
        super().__init__(**options)
        self.step_id = step_id
        self.last = last
        self.process = None

    def execute(self, context):
        command = [PROGRAM, "step", "run", "--attempt", str(context["ti"].try_number), *OPTIONS, self.step_id]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        try:
            for line in self.process.stdout:
                self.log.info("%s", line.rstrip())
            code = self.process.wait()
        finally:
            self.on_kill()
        if code in self.last:
            raise AirflowFailException(f"{self.step_id} ended with {code}: another attempt would, too")
        if code != 0:
            raise AirflowException(f"{self.step_id} ended with {code}")

    def on_kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()


with DAG("quartier-us", schedule=None, start_date=datetime(2024, 1, 1), catchup=False, max_active_runs=1) as dag:
    tasks = {}
    for name, step_id, needs, minutes, memory, disk, kind, last in STEPS:
        tasks[name] = Step(
            task_id=name,
            step_id=step_id,
            last=last,
            queue=QUEUES[kind],
            retries=4,
            retry_delay=timedelta(seconds=10),
            retry_exponential_backoff=True,
            execution_timeout=timedelta(minutes=minutes),
            # executor_config={"pod_override": ...},
        )
        for need in needs:
            tasks[name].set_upstream(tasks[need])
