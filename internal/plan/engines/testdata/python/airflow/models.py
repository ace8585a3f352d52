import airflow

OPTIONS = {"queue", "retries", "retry_delay", "retry_exponential_backoff", "execution_timeout"}


class Log:
    def __init__(self):
        self.lines = []

    def info(self, text, *args):
        self.lines.append([text % args])


class BaseOperator:
    def __init__(self, *, task_id, **options):
        assert airflow.KEY.match(task_id) and len(task_id) <= 250, task_id
        assert set(options) <= OPTIONS, options
        self.task_id = task_id
        self.options = options
        self.log = Log()
        self.upstream = []
        assert task_id not in (t.task_id for t in airflow.current.tasks)
        airflow.current.tasks.append(self)

    def set_upstream(self, task):
        self.upstream.append(task)
