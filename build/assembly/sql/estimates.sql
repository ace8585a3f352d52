-- The geographies with demographics in the order of their computation, and the figures published for them.
CREATE TABLE estimate_order (place INTEGER, source_key VARCHAR);
CREATE TABLE published_figure (place INTEGER, cell VARCHAR, estimate DOUBLE, moe DOUBLE, vintage VARCHAR);
CREATE TABLE published_home_value (place INTEGER, year INTEGER, dollars DOUBLE);
