"""As much of Airflow 2 as the files of DAGs use, for tests."""

import re

KEY = re.compile(r"^[\w.-]+$")
current = None


class DAG:
    def __init__(self, dag_id, *, schedule, start_date, catchup, max_active_runs):
        assert KEY.match(dag_id) and len(dag_id) <= 250
        self.dag_id = dag_id
        self.tasks = []

    def __enter__(self):
        global current
        current = self
        return self

    def __exit__(self, *error):
        global current
        current = None


class TaskInstance:
    def __init__(self, try_number):
        self.try_number = try_number
