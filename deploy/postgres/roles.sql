-- Creates two roles and their database: `store_owner` owns the tables and migrates, and `store_app` runs the service
-- and owns nothing.
-- Run this once, as a superuser: STORE_OWNER_PASSWORD=... STORE_APP_PASSWORD=... psql -f deploy/postgres/roles.sql
\set ON_ERROR_STOP on
\getenv owner_password STORE_OWNER_PASSWORD
\getenv app_password STORE_APP_PASSWORD
CREATE ROLE store_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE store_app LOGIN PASSWORD :'app_password';
CREATE DATABASE store OWNER store_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE store FROM PUBLIC;
GRANT CONNECT ON DATABASE store TO store_app;
\connect store
ALTER SCHEMA public OWNER TO store_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO store_app;
ALTER DEFAULT PRIVILEGES FOR ROLE store_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO store_app;
ALTER DEFAULT PRIVILEGES FOR ROLE store_owner GRANT USAGE, SELECT ON SEQUENCES TO store_app;
