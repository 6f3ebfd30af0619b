"""Alembic's entry: runs the steps on the connection that data/store/migrate.py hands over."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, transactional_ddl=False, render_as_batch=True)
context.run_migrations()
