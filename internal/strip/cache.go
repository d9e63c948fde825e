package strip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tengen/internal/wholefile"
)

// The size that OpenOrBuild builds: it takes a fraction of a second.
const (
	smallMax      = 11
	smallSimplest = 9
)

// CachePath is where a database of a size is kept for the user.
func CachePath(points, simplest int) (string, error) {
	dir, err := cacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, fmt.Sprintf("strips-v%d-%d-%d.db", version, points, simplest)), nil
}

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for the database of strips: %w", err)
	}
	return filepath.Join(dir, "tengen"), nil
}

// OpenOrBuild opens the database in the user's cache that has the most values, and
// among those the one with the most bounds. If there is none, it builds a small
// one and keeps it there. If no file can be written, the database stays in memory.
// Larger databases are only built by a call of Build.
func OpenOrBuild(ctx context.Context) (*DB, error) {
	for simplest := MaxSimplest; simplest >= 0; simplest-- {
		for points := MaxBounds; points >= 1 && points >= simplest; points-- {
			path, err := CachePath(points, simplest)
			if err != nil {
				break
			}
			db, err := Open(path)
			if err == nil {
				return db, nil
			}
			if !errors.Is(err, os.ErrNotExist) {
				return nil, fmt.Errorf("%w: remove the file, and it is built anew", err)
			}
		}
	}
	db, err := Make(ctx, Options{Max: smallMax, Simplest: smallSimplest})
	if err != nil {
		return nil, err
	}
	if path, err := CachePath(smallMax, smallSimplest); err == nil {
		_ = db.keep(wholefile.Disk{}, path) // next time it is built again
	}
	return db, nil
}

// keep puts the database at path.
func (db *DB) keep(disk wholefile.Disk, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return disk.Write(path, db.data)
}
